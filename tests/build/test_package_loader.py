"""The replaced package loader: everything else in the standard library is unchanged."""

import zipfile
from pathlib import Path

import pytest

from app.build import UnrecognisedError
from app.build.runtime import MODULE, REPLACEMENT, replace_package_loader

pytestmark = pytest.mark.host

STOCK = Path(__file__).parents[2] / "node_modules" / "pyodide" / "python_stdlib.zip"


def test_only_the_package_loader_is_replaced(tmp_path):
    target = tmp_path / "library.zip"
    replace_package_loader(STOCK, target)
    with zipfile.ZipFile(STOCK) as stock, zipfile.ZipFile(target) as copy:
        assert stock.namelist() == copy.namelist()
        for name in stock.namelist():
            expected = REPLACEMENT.encode() if name == MODULE else stock.read(name)
            assert copy.read(name) == expected, name


def test_missing_package_loader_is_named(tmp_path):
    stock = tmp_path / "other.zip"
    with zipfile.ZipFile(stock, "w") as archive:
        archive.writestr("socket.py", "")
    with pytest.raises(
        UnrecognisedError, match=r"^other\.zip has no pyodide/_package_loader\.py to replace$"
    ):
        replace_package_loader(stock, tmp_path / "target.zip")
