import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRehearsal } from './rehearsal.ts';

export const FILE_COUNT = inRehearsal(60, 1800);
const FILES_A_FOLDER = 60;
const FUNCTIONS_A_FILE = 12;

/** A name that only the file of this number defines. */
export function nameIn(file: number): string {
  return `resolveOrder${file}Step0`;
}

/** Writes a tree of TypeScript files of about 130 lines, the same each time, as a mid-sized service has. */
export function writeTypeScriptTree(root: string): void {
  for (let file = 0; file < FILE_COUNT; file += 1) {
    const folder = join(root, 'src', `module-${Math.floor(file / FILES_A_FOLDER)}`);
    if (file % FILES_A_FOLDER === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `order-${file}.ts`), fileText(file));
  }
}

function fileText(file: number): string {
  const functions = Array.from({ length: FUNCTIONS_A_FILE }, (_, step) => functionText(file, step));
  return [
    `import { nextOrder } from './order-${file + 1}.ts';`,
    `export interface Order${file} {\n  readonly id: string;\n  readonly amount: number;\n}\n`,
    `export class OrderStore${file} {\n  private readonly orders = new Map<string, Order${file}>();\n`,
    `  save(order: Order${file}): void {\n    this.orders.set(order.id, order);\n  }\n}\n`,
    ...functions,
  ].join('\n');
}

function functionText(file: number, step: number): string {
  const budget = file % 90 === 0 && step === 0 ? '  const retryBudget = 3;\n' : '';
  return [
    `/** Step ${step} of the order: adds its share of the amount. */`,
    `export function resolveOrder${file}Step${step}(order: Order${file}, share: number): number {`,
    `${budget}  const base = order.amount * share;`,
    `  if (base > ${100 + step}) return base - ${step};`,
    '  const rounded = Math.round(base * 100) / 100;',
    `  return rounded + ${step};`,
    '}\n',
  ].join('\n');
}
