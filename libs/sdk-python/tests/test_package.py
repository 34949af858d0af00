from __future__ import annotations

import subprocess
import sys
import unittest

# Refuses what neither Python nor a dependency of pyproject.toml provides, if the package imports it by itself.
CODE = """
import builtins, sys
imports = builtins.__import__

def check(name, globals=None, locals=None, fromlist=(), level=0):
    importer = (globals or {}).get("__name__", "").partition(".")[0]
    top = name.partition(".")[0]
    if importer == "tapeline" and level == 0 and top not in {*sys.stdlib_module_names, "httpx", "tapeline"}:
        raise ImportError(name)
    return imports(name, globals, locals, fromlist, level)

builtins.__import__ = check
import tapeline
"""


class PackageTests(unittest.TestCase):
    def test_only_the_declared_dependency_is_imported(self) -> None:
        ended = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
        self.assertEqual(ended.stderr, "")
