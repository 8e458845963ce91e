import type { GenerateRequest } from '@nexus/plugin-sdk';
import type { ScriptedAnswer } from '@nexus/testing';
import { PROOF_JUDGE, PROVER } from '../src/proof/prompts.ts';
import { lastText } from './dev-team.ts';

/** A file that somebody at work in a worktree writes. */
export const put = (path: string, text: string) => ({ name: 'write_file', input: { path, text } });

/** What is called in each of its conversations. */
export type Turns = readonly (readonly {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}[])[];

/** What somebody who did not write a test says of it. */
export interface JudgedProof {
  readonly shows: 'this' | 'something_else' | 'unsure';
  readonly why: string;
  readonly oldTests?: 'asked_for_the_fault' | 'ask_for_what_holds' | 'unsure';
}

/** Writes what is given in each of its conversations, and answers; undefined for who is asked for something else. */
export function prover(...turns: Turns) {
  return judgedProver(() => ({ shows: 'this', why: 'It asks for the sum.', oldTests: 'unsure' }), ...turns);
}

/** The same, with a word on what was written by somebody who sees this prompt. */
export function judgedProver(judge: (prompt: string) => JudgedProof, ...turns: Turns) {
  let asked = 0;
  return (request: GenerateRequest): ScriptedAnswer | undefined => {
    const { system = '' } = request;
    if (system.includes(PROOF_JUDGE)) return { object: judge(lastText(request)) };
    if (!system.includes(PROVER)) return undefined;
    asked += 1;
    const writes = turns[(asked - 1) / 2] ?? [];
    return asked % 2 === 1 && writes.length > 0 ? { tools: [...writes] } : 'That is it.';
  };
}

const testOf = (...asserts: readonly string[]) =>
  ["import assert from 'node:assert';", "import { sum } from './sum.js';", ...asserts, ''].join('\n');

export const NOTHING_ADDED = 'assert.equal(sum(2, 0), 2);';
export const ADDS = "assert.equal(sum(2, 3), 5, 'two and three');";
export const SUBTRACTS = 'export const sum = (a, b) => a - b;\n';
export const SUMS = 'export const sum = (a, b) => a + b;\n';
export const sumTest = (...asserts: readonly string[]) => put('sum.test.js', testOf(...asserts));

/** A sum as it is, and a test that passes with any. */
export const sumFiles = (sum: string) => ({
  'package.json': '{ "type": "module" }\n',
  'sum.js': sum,
  'sum.test.js': testOf(NOTHING_ADDED),
});
