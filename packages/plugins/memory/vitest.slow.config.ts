import { slowlyTested } from '../../../vitest.shared.ts';

export default slowlyTested(import.meta.dirname);
