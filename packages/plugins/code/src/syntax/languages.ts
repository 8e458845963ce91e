import { extname } from 'node:path';
import { ToolError } from '@nexus/plugin-sdk';
import type { Language } from './language.ts';
import { bash } from './languages/bash.ts';
import { c, cpp } from './languages/cpp.ts';
import { csharp } from './languages/csharp.ts';
import { go } from './languages/go.ts';
import { java } from './languages/java.ts';
import { javascript } from './languages/javascript.ts';
import { php } from './languages/php.ts';
import { python } from './languages/python.ts';
import { ruby } from './languages/ruby.ts';
import { rust } from './languages/rust.ts';
import { tsx, typescript } from './languages/typescript.ts';
import { zig } from './languages/zig.ts';

export const LANGUAGES: readonly Language[] = [
  ...[typescript, tsx, javascript, python, go, rust, java, c, cpp, ruby, php, csharp, bash, zig],
];

const byExtension = new Map(
  LANGUAGES.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)),
);

export function languageOf(path: string): Language | undefined {
  return byExtension.get(extname(path).toLowerCase());
}

/** @throws {ToolError} NEXUS_UNSUPPORTED_LANGUAGE with the extensions that have a parser */
export function requireLanguage(shown: string): Language {
  const language = languageOf(shown);
  if (language) return language;
  const known = [...byExtension.keys()].join(' ');
  throw new ToolError(
    'NEXUS_UNSUPPORTED_LANGUAGE',
    `There is no parser for ${shown}. Symbols can be read from ${known}. search_codebase finds text in any file.`,
  );
}
