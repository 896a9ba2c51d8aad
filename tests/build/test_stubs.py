"""What stands for the modules that no page needs: asyncio turns without them."""

import subprocess
import zipfile
from pathlib import Path

import pytest

from app.build.stubs import STUBS, with_stubs

pytestmark = pytest.mark.host

PYODIDE = Path(__file__).parents[2] / "node_modules" / "pyodide"
STOCK = PYODIDE / "python_stdlib.zip"

TURNS = """
import { loadPyodide } from %r;
const python = await loadPyodide({ stdLibURL: %r });
console.log(await python.runPythonAsync(`
import asyncio

async def later(queue, number):
    await asyncio.sleep(0.01 * number)
    await queue.put(number)

async def turns():
    queue = asyncio.Queue()
    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        for number in (2, 1):
            group.create_task(later(queue, number))
    found = [queue.get_nowait(), queue.get_nowait()]
    try:
        await asyncio.wait_for(asyncio.Event().wait(), 0.01)
    except TimeoutError:
        found.append("late")
    return found + await asyncio.gather(asyncio.sleep(0, "done"))

found = await turns()
try:
    await asyncio.get_running_loop().subprocess_exec(None, "program")
except NotImplementedError:
    found.append("no program")
str(found + [hasattr(asyncio, "open_connection")])
`));
"""


def test_all_else_is_as_it_was(tmp_path):
    target = tmp_path / "library.zip"
    with_stubs(STOCK, target)
    with zipfile.ZipFile(STOCK) as before, zipfile.ZipFile(target) as after:
        assert before.namelist() == after.namelist()
        for name in before.namelist():
            expected = STUBS[name].encode() if name in STUBS else before.read(name)
            assert after.read(name) == expected, name


def test_a_module_that_is_not_there_is_named(tmp_path):
    stock = tmp_path / "other.zip"
    with zipfile.ZipFile(stock, "w") as file:
        for name in STUBS.keys() - {"socket.py"}:
            file.writestr(name, "")
    with pytest.raises(ValueError, match=r"^other\.zip has no socket\.py to stand for$"):
        with_stubs(stock, tmp_path / "target.zip")


@pytest.mark.parametrize("damage", ["an end", "bytes within"])
def test_a_file_that_is_damaged_is_named(damage, tmp_path):
    stock = tmp_path / "stock.zip"
    content = bytearray(STOCK.read_bytes())
    if damage == "an end":
        del content[-1000:]
    else:
        content[5000:5100] = bytes(100)
    stock.write_bytes(content)
    with pytest.raises(ValueError, match=r"^stock\.zip is damaged: \w+"):
        with_stubs(stock, tmp_path / "target.zip")


def test_tasks_queues_and_timeouts_work(tmp_path):
    target = tmp_path / "library.zip"
    with_stubs(STOCK, target)
    script = tmp_path / "turns.mjs"
    script.write_text(TURNS % (str(PYODIDE / "pyodide.mjs"), str(target)), encoding="utf-8")
    done = subprocess.run(["node", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip() == "[1, 2, 'late', 'done', 'no program', False]"
