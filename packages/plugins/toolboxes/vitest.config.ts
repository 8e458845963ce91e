export { unitTests as default } from '../../../vitest.shared.ts';
