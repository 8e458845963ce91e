export { describeField } from './describe-field.ts';
export { type Choice, type FormField, readForm } from './form.ts';
export { type FieldFault, fieldFault, formFaults, withDefaults } from './form-faults.ts';
export {
  answerFaults,
  assertQuestion,
  completeAnswer,
  DIGEST_CHARS,
  DIGEST_FIELD,
  namesDigest,
  questionSchema,
  readWritten,
  shortDigest,
} from './question-form.ts';
export { readField } from './read-field.ts';
