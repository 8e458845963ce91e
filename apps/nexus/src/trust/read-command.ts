import { basename } from 'node:path';
import { parse } from 'shell-quote';
import { runsCode } from './code-variables.ts';
import { envFilesOf } from './env-files.ts';
import { readRunner, runsPackageScript, unknownProgram } from './runners.ts';
import { innerCommand, isWrapper } from './wrappers.ts';

/** What a command line may run, as far as its words tell. */
export interface CommandReading {
  /** Words that may name a file, none twice. */
  readonly words: readonly string[];
  /** Those of them that are run, whatever their endings say. */
  readonly run: ReadonlySet<string>;
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
  /** False where a shell, or a program that is on no list of those that run what words say, may run what no word names. */
  readonly isCertain: boolean;
}

const SHELL = /^(?:ba|z|da|k|a|fi|mk)?sh$/;
const INTERPRETER =
  /^(?:(?:ba|z|da|k|a|fi|mk)?sh|node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby|perl|php|lua[\d.]*|rscript|osascript|pwsh|powershell|java|wscript|cscript|source|\.)$/;
/** Code among the arguments, in whatever language. */
const INLINE = /^(?:-[a-z]*[ce]|-p|-pe|--eval|--print|-command|-encodedcommand|\/c|\/k)$/i;
const SHELL_INLINE = /^-[abd-z]*c[a-z]*$/;
/** What a shell makes of a line only when it runs it. */
const OPEN =
  /[$`*?[\]{}~!]|<<|<\(|(?:^|[\s;&|(])(?:eval|cd|pushd|popd|alias|function|trap|xargs|find|for|while|until|if|case|set|hash)(?=$|[\s;&|)])/;

/** Options of git's own by which it takes programs, hooks or settings from a place, or is told what to run. */
const GIT_ELSEWHERE = /^(?:-[Cc]|--(?:exec-path|git-dir|work-tree|config-env|super-prefix)(?:=|$))/;
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
  const scripts = new Set<string>();
  const told = new Set<string>();
  const envFiles = new Set<string>();
  const preloads = new Set<string>();
  const installed = new Set<string>();
  const says = new Set<string>();
  let isCertain = true;

  function add(word: string): void {
    const [, value = ''] = /^[^=]*=(.*)$/s.exec(word) ?? [];
    for (const each of [word, value, ...word.split(/[\s;&|()<>"'`={},:]+/)]) if (each !== '') words.add(each);
  }

  function runs(word: string | undefined): void {
    if (word === undefined || word === '') return;
    words.add(word);
    run.add(word);
  }

  function readSimple(line: readonly string[]): void {
    for (const word of line) add(word);
    const start = line.findIndex((word) => !/^\w+=/.test(word));
    for (const word of line.slice(0, Math.max(start, 0))) {
      if (runsCode(word.slice(0, word.indexOf('=')))) isCertain = false;
    }
    const [first, ...rest] = start < 0 ? [] : line.slice(start);
    if (first === undefined) return;
    if (/[/\\]/.test(first) || process.platform === 'win32') runs(first);
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
      if (!inner.isCertain) isCertain = false;
      readSimple(inner.line);
      return;
    }
    if (name === 'git') {
      const subcommand = rest.findIndex(
        (word, index) => !word.startsWith('-') && !mayTakeValue(rest[index - 1]),
      );
      const options = subcommand < 0 ? rest : rest.slice(0, subcommand);
      if (options.some((word) => GIT_ELSEWHERE.test(word))) isCertain = false;
    }
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
    for (const each of preloadsOf(rest)) preloads.add(each);
    const isShell = SHELL.test(name);
    const inline = rest.findIndex((word) => (isShell ? SHELL_INLINE : INLINE).test(word));
    const firstWord = rest.slice(inline + 1).find((word) => !word.startsWith('-'));
    if (inline < 0) readScript(rest);
    else if (isShell) readShell(firstWord ?? '');
    else isCertain = false;
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
    if (OPEN.test(text)) isCertain = false;
    add(text);
    // The parser takes a comment for the rest of the text, and a shell for the rest of its line.
    for (const part of new Set([text, ...text.split('\n')])) {
      let simple: string[] = [];
      let isTarget = false; // of `>`, which is no program
      for (const token of parse(part, (variable) => ({ op: variable }))) {
        if (typeof token === 'string') simple.push(token);
        else if ('pattern' in token) simple.push(token.pattern);
        else {
          if (!isTarget || simple.length > 1) readSimple(simple);
          isTarget = 'op' in token && /[<>]/.test(token.op);
          simple = [];
        }
      }
      if (!isTarget || simple.length > 1) readSimple(simple);
    }
  }

  readSimple([program, ...args]);
  return {
    ...{ words: [...words], run, scripts, told: [...told], isCertain },
    ...{ envFiles: [...envFiles], preloads: [...preloads], installed: [...installed], says: [...says] },
  };
}

/** What options of a runtime load before its script: `--require a`, `-r a`, `--import=a`. */
export function preloadsOf(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const [, option = word, value] = /^(--[^=]*)=(.*)$/s.exec(word) ?? [];
    const loaded = PRELOADS.test(option) ? (value ?? words[index + 1]) : undefined;
    return loaded === undefined || loaded === '' ? [] : [loaded];
  });
}
