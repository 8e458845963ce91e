import { isRecord } from '../expressions/values.ts';
import { type InputFile, inputTypes } from './file-schema.ts';

export { inputTypes };

export type InputType = InputFile['type'];

export function fitsType(value: unknown, type: InputType): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    default:
      return typeof value === type;
  }
}
