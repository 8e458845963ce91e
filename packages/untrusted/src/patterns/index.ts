export { loadPatterns, type Pattern, type Patterns } from './load-patterns.ts';
export { PatternFault } from './pattern-fault.ts';
