export { slowTests as default } from '../../vitest.shared.ts';
