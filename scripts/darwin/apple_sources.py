"""Typechecks the Swift targets of the package as a compiler for macOS would see them.

A copy of the sources takes the branches of `#if` that macOS takes, and resolves `Darwin`,
`Foundation` and `ObjectiveC` to the stand-ins beside this file. Modules of Linux have no name in
the copy, so that an unguarded import of one is an error, and so is every name that only they have.
"""

import json
import os
import pathlib
import re
import subprocess

STANDINS = pathlib.Path(__file__).resolve().parent

# Conditions as macOS answers them.
CONDITIONS = {
    "canImport(Glibc)": "false",
    "canImport(Musl)": "false",
    "canImport(FoundationEssentials)": "false",
    "canImport(FoundationXML)": "false",
    "canImport(FoundationNetworking)": "false",
    "canImport(EmbeddedMath)": "false",
    "canImport(Darwin)": "true",
    "canImport(Foundation)": "true",
    "canImport(CryptoKit)": "true",
    "canImport(ObjectiveC)": "true",
    "os(Linux)": "false",
    "os(macOS)": "true",
}
# What an `import` line names, and what the copy names instead.
ABSENT = ("Glibc", "Musl", "FoundationEssentials", "FoundationXML", "FoundationNetworking", "CLibcrypto")
# Apple's C library is re-exported by the modules of C libraries, as the module maps of SwiftPM say.
DOORS = ("CGSL", "CZlib")
SYSTEM_HEADERS = (
    "errno.h", "fcntl.h", "math.h", "pthread.h", "sched.h", "stdio.h", "stdlib.h", "string.h",
    "time.h", "unistd.h",
)
STANDIN_MODULES = ("DarwinTypes", "Darwin", "ObjectiveC", "AppleFoundation", "CryptoKit")

# Names that no header of Apple has. None may be in scope in any target.
LINUX_ONLY = (
    "O_TMPFILE", "O_PATH", "MAP_ANONYMOUS", "MAP_POPULATE", "epoll_create1", "renameat2",
    "program_invocation_name", "get_nprocs", "mallinfo2", "sched_getaffinity", "prctl", "gettid",
)


class Failure(Exception):
    pass


class AppleSources:
    def __init__(self, root, work, swiftc, built):
        self.root, self.work, self.swiftc, self.built = root, work, swiftc, built
        self.checkouts = built.resolve().parents[1] / "checkouts"
        self.modules = work / "modules"
        self.modules.mkdir()
        self.targets = self._targets()

    def _targets(self):
        """Every Swift target that is not a test, in an order in which each finds what it imports."""
        found = {}
        text = subprocess.run(
            ["swift", "package", "dump-package", "--package-path", str(self.root)],
            check=True, capture_output=True, text=True).stdout
        for target in json.loads(text)["targets"]:
            sources = self.root / (target.get("path") or f"Sources/{target['name']}")
            files = sorted(sources.rglob("*.swift"))
            if target["type"] == "test" or not files:
                continue
            found[target["name"]] = {
                "sources": sources, "files": files,
                "needs": [next(iter(d.values()))[0] for d in target["dependencies"]],
                "flags": [
                    flag for setting in target["settings"] if setting["tool"] == "swift"
                    for flag in self._flags(setting["kind"])],
            }
        ordered = {}

        def visit(name):
            if name in found and name not in ordered:
                for need in found[name]["needs"]:
                    visit(need)
                ordered[name] = found[name]

        for name in found:
            visit(name)
        return ordered

    @staticmethod
    def _flags(kind):
        if "enableUpcomingFeature" not in kind:
            raise Failure(f"the manifest has a setting that this proof does not know: {kind}")
        return ["-enable-upcoming-feature", kind["enableUpcomingFeature"]["_0"]]

    @staticmethod
    def as_on_macos(text):
        for condition, answer in CONDITIONS.items():
            text = text.replace(condition, answer)
        words = r"^(\s*(?:@\w+(?:\(\w+\))? )*(?:\w+ )?import )"
        for module in ABSENT:
            text = re.sub(rf"{words}{module}\b", rf"\1ModuleThatMacOSLacks_{module}", text, flags=re.M)
        text = re.sub(rf"{words}Foundation\b", r"\1AppleFoundation", text, flags=re.M)
        for door in DOORS:
            text = re.sub(
                rf"{words}{door}\b", rf"\g<0>; internal import Darwin", text, flags=re.M)
        return text

    def compile(self, module, files, flags=(), is_imported=True):
        """The compiler's errors and warnings about a module; an empty text if there are none."""
        output = (["-emit-module", "-emit-module-path", str(self.modules / f"{module}.swiftmodule")]
                  if is_imported else ["-typecheck"])
        run = subprocess.run(
            [self.swiftc, *output, "-wmo", "-Onone", "-swift-version", "6",
             "-parse-as-library", "-module-name", module, "-package-name", "planklab",
             "-module-cache-path", str(self.work / "cache"), "-diagnostic-style", "llvm",
             *flags, "-I", str(self.modules), "-I", str(self.built / "Modules"),
             *self._c_flags(), *map(str, files)],
            capture_output=True, text=True, cwd=self.work)
        report = run.stdout + run.stderr
        # An empty CI asks what a compiler of tomorrow says: its new warnings are no errors.
        kinds = "error" if os.environ.get("CI") == "" else "warning|error"
        if run.returncode == 0 and not re.search(rf": ({kinds}):", report):
            return ""
        return report or f"the compiler ended with {run.returncode}"

    def _c_flags(self):
        sources, checkouts = self.root / "Sources", self.checkouts
        maps = [self._system_headers(), checkouts / "GRDB.swift/Sources/GRDBSQLite/module.modulemap"]
        flags = ["-I", str(checkouts / "Yams/Sources/CYaml/include")]
        for folder in sorted(sources.glob("C*")):
            if folder.name in DOORS:
                maps.append(self._door(folder))
            elif folder.name not in ABSENT:
                maps.append(self.built / f"{folder.name}.build/module.modulemap")
                flags += ["-I", str(folder / "include")]
        maps.append(checkouts / "Yams/Sources/CYaml/include/module.modulemap")
        return [word for flag in flags + [f"-fmodule-map-file={m}" for m in maps]
                for word in ("-Xcc", flag)]

    def _door(self, folder):
        """A module map of a C library without a re-export, which here would be Glibc's."""
        path = self.work / "doors" / folder.name / "module.modulemap"
        if not path.exists():
            path.parent.mkdir(parents=True)
            header = folder / "include" / f"{folder.name}.h"
            path.write_text(f'module {folder.name} [system] {{ header "{header}" }}\n')
        return path

    def _system_headers(self):
        """Modules of the headers of C that those libraries include, so that they do not own them."""
        path = self.work / "doors" / "module.modulemap"
        if not path.exists():
            path.parent.mkdir(parents=True)
            path.write_text("".join(
                f'module System_{name[:-2]} [system] {{ header "/usr/include/{name}" export * }}\n'
                for name in SYSTEM_HEADERS))
        return path

    def make_standins(self):
        for module in STANDIN_MODULES:
            report = self.compile(module, sorted((STANDINS / module).glob("*.swift")))
            if report:
                raise Failure(f"the stand-in {module} does not compile:\n{report}")

    def copy(self, name):
        target, files = self.targets[name], []
        for source in target["files"]:
            file = self.work / "sources" / name / source.relative_to(target["sources"])
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(self.as_on_macos(source.read_text()))
            files.append(file)
        return files

    def check(self, name, is_imported=True):
        """The compiler's report about a target; an empty text if it is as on a Mac."""
        return self._compile_target(name, self.copy(name), is_imported)

    def check_with_fault(self, name, file, before, after):
        """The report about a target in one of whose files a text is replaced."""
        target, files = self.targets[name], self.copy(name)
        place = next(path for path in files if path.name == file)
        text = next(path for path in target["files"] if path.name == file).read_text()
        if before not in text:
            raise Failure(f"{file} no longer has the text {before}")
        place.write_text(self.as_on_macos(text.replace(before, after, 1)))
        return self._compile_target(name, files)

    def _compile_target(self, name, files, is_imported=True):
        target = self.targets[name]
        return self.compile(name.replace("-", "_"), files, target["flags"], is_imported)

    def names_in_scope(self, name):
        """Names of Linux that a target's imports bring into scope."""
        imports = set()
        for file in self.copy(name):
            imports |= set(re.findall(
                r"^(?:@\w+(?:\(\w+\))? )*(?:\w+ )?import .*$", file.read_text(), re.M))
        probe = self.work / "Probe.swift"
        lines = [re.sub(r"\b(public|package|private|fileprivate) import", "internal import", line)
                 for line in imports if "ModuleThatMacOSLacks" not in line]
        lines += [f"func probe{i}() {{ _ = {word} }}" for i, word in enumerate(LINUX_ONLY)]
        probe.write_text("\n".join(sorted(set(lines), reverse=True)) + "\n")
        report = self.compile("Probe", [probe], self.targets[name]["flags"])
        missing = set(re.findall(r"error: cannot find '(\w+)' in scope", report))
        return [word for word in LINUX_ONLY if word not in missing]
