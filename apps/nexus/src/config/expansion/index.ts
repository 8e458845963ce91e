export { type Environment, expandVariables } from './expand-variables.ts';
export { describeMissing, ExpansionError } from './expansion-error.ts';
export { variableNames, variablesIn } from './variable.ts';
