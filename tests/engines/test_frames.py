"""The page in a frame of another page: without storage, and with one message, its height."""

from contextlib import contextmanager

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from app.build.single_file import SINGLE_FILE
from bleu import sentence_bleu
from tests.engines.page import Page

LINK = "#hypothesis=a+b+c+d+e+x&reference=a+b+c+d+e+y"
SCORE = str(sentence_bleu("a b c d e x", ["a b c d e y"]).value)
FRAME = """
const frame = document.createElement("iframe");
const [address, sandbox, file, width, height] = arguments;
if (sandbox) frame.sandbox = sandbox;
[frame.width, frame.height] = [width, height];
window.received = [];
addEventListener("message", ({ data }) => window.received.push(data));
if (!file) frame.src = address;
else fetch(address).then((response) => response.text()).then((text) => (frame.srcdoc = text));
document.body.append(frame);
"""
SIZE = "const page = document.documentElement; return [page.scrollWidth, page.scrollHeight]"
SEAL = "return document.getElementById('seal').textContent"
SPEAK = "document.querySelector('iframe').contentWindow.postMessage('slide:stop', '*')"
HIDE = """
document.querySelector("iframe").hidden = true;
window.keys = [];
addEventListener("keydown", ({ key }) => keys.push(key));
"""
SHOW = "document.querySelector('iframe').hidden = false"
OUTSIDE = "return document.activeElement.localName"


@contextmanager
def frame(page: Page, blank: str, address: str, sandbox="", *, is_text=False, size=(640, 420)):
    """Open an address in a frame for the block, and wait until it has started or failed."""
    with page.tab(blank):
        page.run(FRAME, address, sandbox, is_text, *size)
        page.driver.switch_to.frame(page.one("iframe"))
        page.in_frame = True
        try:
            page.until(lambda: page.count("html[data-sealed], html[data-failed]"), 1)
            yield
        finally:
            page.in_frame = False
            page.driver.switch_to.default_content()


def test_frame_tells_the_page_around_it_its_height_alone(engine_page, blank, site):
    with frame(engine_page, blank, f"{site}{LINK}"):
        assert engine_page.data("#score", "value") == SCORE
        assert "was told its height and nothing else" in engine_page.run(SEAL)
        engine_page.driver.switch_to.default_content()
        engine_page.run(SPEAK)  # as reveal.js does when its slide is left
        [message] = engine_page.run("return received")
        assert list(message) == ["bleuHeight"]
        assert message["bleuHeight"] > 200


@pytest.mark.parametrize(("width", "height"), [(640, 420), (480, 360)])
def test_embedded_score_fits_its_frame(engine_page, blank, site, width, height):
    with frame(engine_page, blank, f"{site}{LINK}&embed=1", size=(width, height)):
        assert engine_page.data("#score", "value") == SCORE
        assert engine_page.run(SIZE) == [width, height]


def test_page_without_storage_scores_the_texts_of_its_link(engine_page, blank, site):
    with frame(engine_page, blank, f"{site}{SINGLE_FILE}{LINK}", "allow-scripts"):
        assert engine_page.count("html[data-failed]") == 0
        assert engine_page.value("#hypothesis") == "a b c d e x"
        assert engine_page.data("#score", "value") == SCORE


def test_failed_start_shows_no_result_of_the_example(engine_page, blank, site):
    # The modules of a page without an origin need a header that this server does not send.
    with frame(engine_page, blank, f"{site}{LINK}", "allow-scripts"):
        assert engine_page.count("html[data-failed]") == 1
        assert engine_page.value("#hypothesis") == "a b c d e x"
        assert not engine_page.run("return document.getElementById('score').checkVisibility()")


def test_text_of_the_one_file_starts_in_a_frame(engine_page, blank, site):
    with frame(engine_page, blank, f"{site}{SINGLE_FILE}", "allow-scripts", is_text=True):
        assert engine_page.count("html[data-failed]") == 0
        assert engine_page.data("#score", "value").startswith("0.5789")


def test_step_in_a_frame_leaves_the_focus_to_the_page_around_it(engine_page, blank, site):
    with engine_page.tab(blank):  # the driver of WebKit focuses a frame that it looks into
        engine_page.run(FRAME, f"{site}{LINK}&view=why&step=score&embed=1", "", False, 640, 420)
        engine_page.until(lambda: engine_page.run("return received.length"), 1)
        assert engine_page.run(OUTSIDE) == "body"


def test_frame_that_loads_out_of_sight_is_complete_once_it_is_shown(engine_page, blank, site):
    """As on a slide that follows; the keys stay those of the deck."""
    with engine_page.tab(blank):
        engine_page.run(FRAME, f"{site}{LINK}&embed=1", "", False, 640, 420)
        engine_page.run(HIDE)
        engine_page.until(lambda: engine_page.run("return received.length"), 1)
        engine_page.run(SHOW)
        ActionChains(engine_page.driver).send_keys(Keys.ARROW_RIGHT).perform()
        engine_page.until(lambda: engine_page.run("return keys"), ["ArrowRight"])
        assert engine_page.run(OUTSIDE) == "body"
        engine_page.driver.switch_to.frame(engine_page.one("iframe"))
        engine_page.until(lambda: engine_page.run(SIZE), [640, 420])
        engine_page.until_true(lambda: engine_page.count("#texts .box [data-kind=credited]"))
        assert engine_page.data("#score", "value") == SCORE
        assert engine_page.value("#hypothesis") == "a b c d e x"
        engine_page.driver.switch_to.default_content()
