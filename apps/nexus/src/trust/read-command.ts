import { basename } from 'node:path';
import { runsCode } from './code-variables.ts';
import { envFilesOf } from './env-files.ts';
import { sayUnread, unreadWords } from './known-words.ts';
import { isPackageName } from './package-files.ts';
import { readShellText } from './read-shell.ts';
import { readRunner, runsPackageScript, unknownProgram } from './runners.ts';
import { innerCommand, isWrapper } from './wrappers.ts';

/** What a command line may run, as far as its words tell. */
export interface CommandReading {
  /** Words that may name a file, none twice. */
  readonly words: readonly string[];
  /** Those of them that are run, whatever their endings say. */
  readonly run: ReadonlySet<string>;
  /** Those of them that the system itself starts, by their first lines. */
  readonly programs: ReadonlySet<string>;
  /** Names of programs that are looked for on the PATH. */
  readonly searched: ReadonlySet<string>;
  /** Whether git is one of the programs. */
  readonly runsGit: boolean;
  /** Those of them that an interpreter is given. */
  readonly scripts: ReadonlySet<string>;
  /** Files by which programs that it names are told what to run, such as `package.json`. */
  readonly told: readonly string[];
  /** Files by which they are told variables. */
  readonly envFiles: readonly string[];
  /** What runtimes load before their scripts: paths and packages. */
  readonly preloads: readonly string[];
  /** Packages, and programs of packages, that are looked for in `node_modules` before the registry. */
  readonly installed: readonly string[];
  /** What decides beside the words what is run, a sentence each. */
  readonly says: readonly string[];
  /** True only where each program, and each word by which it could run something else, is known. */
  readonly isCertain: boolean;
}

const SHELL = /^(?:ba|z|da|k|a|fi|mk)?sh$/;
const INTERPRETER =
  /^(?:(?:ba|z|da|k|a|fi|mk)?sh|node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby|perl|php|lua[\d.]*|rscript|osascript|pwsh|powershell|java|wscript|cscript|source|\.)$/;
/** Code among the arguments, in whatever language. */
const INLINE = /^(?:-[a-z]*[ce]|-p|-pe|--eval|--print|-command|-encodedcommand|\/c|\/k)$/i;
const SHELL_INLINE = /^-[abd-z]*c[a-z]*$/;
/** Shells whose text is read as they do, and options that change nothing of that. */
const PLAIN_SHELL = /^(?:ba|da|k|a|mk)?sh$/;
const PLAIN_INLINE = /^-[elux]*c$/;
/** Runtimes whose scripts are followed into what they import. */
const FOLLOWED = /^node(?:js)?$/;
/** By these a runtime takes another file of a package, or looks for one elsewhere, than it does by itself. */
const RESOLVES_OTHERWISE =
  /^(?:-C|--(?:conditions|preserve-symlinks|import-map|tsconfig|project|loader|experimental-[\w-]*)(?:=|$))/;
/** By these a runtime loads something before its script. */
const PRELOADS = /^(?:-r|--(?:require|import|loader|experimental-loader|preload))$/;

function mayTakeValue(option = ''): boolean {
  return option.startsWith('-') && !/^--no-|=/.test(option);
}

/** Reads a command line as its shell and the programs that it names would. */
export function readCommand(program: string, args: readonly string[]): CommandReading {
  const words = new Set<string>();
  const run = new Set<string>();
  const programs = new Set<string>();
  const searched = new Set<string>();
  const scripts = new Set<string>();
  const told = new Set<string>();
  const envFiles = new Set<string>();
  const preloads = new Set<string>();
  const installed = new Set<string>();
  const says = new Set<string>();
  let [isCertain, runsGit] = [true, false];

  function add(word: string): void {
    const [, value = ''] = /^[^=]*=(.*)$/s.exec(word) ?? [];
    // `-Ifile`, `+file`, `@file`
    const joined = /^-[^-]/.test(word) ? word.slice(2) : /^[+@]/.test(word) ? word.slice(1) : '';
    for (const each of [word, value, joined, ...word.split(/[\s;&|()<>"'`={},:]+/)])
      if (each !== '') words.add(each);
  }

  function runs(word: string | undefined): void {
    if (word === undefined || word === '') return;
    words.add(word);
    run.add(word);
  }

  function readSimple(line: readonly string[]): void {
    for (const word of line) add(word);
    const start = line.findIndex((word) => !/^\w+\+?=/.test(word));
    const isSetting = start < 0 || line[start] === 'export';
    for (const word of isSetting ? line : line.slice(0, start)) {
      if (runsCode(word.replace(/\+?=.*/s, ''))) isCertain = false;
    }
    const [first, ...rest] = start < 0 ? [] : line.slice(start);
    if (first === undefined) return;
    if (/[/\\]/.test(first) || process.platform === 'win32') {
      runs(first);
      programs.add(first);
    } else searched.add(first);
    for (const file of envFilesOf(rest)) envFiles.add(file);
    const name = basename(first.replaceAll('\\', '/'))
      .toLowerCase()
      .replace(/\.(?:exe|cmd|bat)$/, '');
    const runner = readRunner(name, rest);
    for (const file of runner.files) told.add(file);
    for (const each of runner.installed) installed.add(each);
    if (runner.says !== undefined) says.add(runner.says);
    if (runner.isOpen) isCertain = false;
    if (isWrapper(name) || runner.rest !== undefined) {
      const inner = innerCommand(isWrapper(name) ? name : 'npx', runner.rest ?? rest);
      isUnread(name, inner.unread);
      if (!inner.isCertain) isCertain = false;
      readSimple(inner.line);
      return;
    }
    // By its settings git runs pagers, filters and more.
    if (name === 'git') runsGit = true;
    isUnread(name, unreadWords(name, rest));
    if (!INTERPRETER.test(name) && name !== 'cmd') {
      const unknown = unknownProgram(first, name);
      if (unknown !== undefined) {
        says.add(unknown);
        isCertain = false;
      }
      // It may hand on the rest of its line.
      if (rest.some((word) => INTERPRETER.test(basename(word)) && !/^(?:\.|source)$/.test(word)))
        isCertain = false;
      return;
    }
    if (runsPackageScript(name, rest)) return;
    for (const each of preloadsOf(rest)) {
      preloads.add(each);
      runs(each);
      if (!isNamedFile(each)) isCertain = false;
    }
    const isShell = SHELL.test(name);
    const inline = rest.findIndex((word) => (isShell ? SHELL_INLINE : INLINE).test(word));
    const firstWord = rest.slice(inline + 1).find((word) => !word.startsWith('-'));
    const isPlain = PLAIN_SHELL.test(name) && PLAIN_INLINE.test(rest[0] ?? '') && rest[1] === firstWord;
    if (!(isShell ? isPlain && !/^\+/.test(firstWord ?? '') : FOLLOWED.test(name))) isCertain = false;
    if (inline < 0) readScript(rest);
    else if (isShell) readShell(firstWord ?? '');
    else isCertain = false;
  }

  function isUnread(name: string, unread: readonly string[]): void {
    if (unread.length === 0) return;
    says.add(sayUnread(name, unread));
    isCertain = false;
  }

  /** An option may take the word after it as its value, so that the script is one of several words. */
  function readScript(rest: readonly string[]): void {
    const words = rest.filter((word) => !word.startsWith('-'));
    if (words.length === 0) isCertain = false;
    for (const [index, word] of rest.entries()) {
      if (RESOLVES_OTHERWISE.test(word)) isCertain = false;
      if (word.startsWith('-')) continue;
      runs(word);
      if (words.length > 1 && mayTakeValue(rest[index - 1])) continue;
      scripts.add(word);
      return;
    }
  }

  function readShell(text: string): void {
    const { lines, isPlain } = readShellText(text);
    if (!isPlain) isCertain = false;
    add(text);
    for (const line of lines) readSimple(line);
  }

  readSimple([program, ...args]);
  return {
    ...{ words: [...words], run, programs, searched, runsGit, scripts, told: [...told], isCertain },
    ...{ envFiles: [...envFiles], preloads: [...preloads], installed: [...installed], says: [...says] },
  };
}

/** Not a URL, which may be code itself, nor a name that a package.json gives. */
export function isNamedFile(preload: string): boolean {
  return isPackageName(preload) || /^\.{0,2}\//.test(preload);
}

/** What options of a runtime load before its script: `--require a`, `-r a`, `--import=a`. */
export function preloadsOf(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const [, option = word, value] = /^(--[^=]*)=(.*)$/s.exec(word) ?? [];
    const loaded = PRELOADS.test(option) ? (value ?? words[index + 1]) : undefined;
    return loaded === undefined || loaded === '' ? [] : [loaded];
  });
}
