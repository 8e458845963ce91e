export { answerObject, type GenerateJson } from './answer-object.ts';
export { askedBy } from './asked-by.ts';
export { converse, type Generate } from './converse.ts';
export { historyFaults, toMessages, toolUses } from './history-faults.ts';
export { type KnownSpend, type MemoryLedger, memoryLedger } from './memory-ledger.ts';
export { readJson } from './read-json.ts';
export { failedResult } from './result-content.ts';
