import { isToolError, ToolError } from '@nexus/plugin-sdk/tool-error';
import { isRecord } from '../json-type.ts';

const MAX_CAUSES = 8;

/** The error that a call fails with as its caller is told of it: what the system is out of is nobody's bug. */
export function toolErrorOf(error: unknown): ToolError | undefined {
  return isToolError(error) ? error : exhausted(error);
}

/**
 * A failure, or a cause of it, by which the system says that it has no more files or processes for this one.
 * In Node 20 a module that could not be read once fails for as long as the process lives, hence the last words.
 */
function exhausted(error: unknown): ToolError | undefined {
  let each: unknown = error;
  for (let depth = 0; isRecord(each) && depth < MAX_CAUSES; depth += 1) {
    const { code, syscall, cause } = each;
    const ofPrograms = typeof syscall === 'string' && syscall.startsWith('spawn');
    if (code === 'EMFILE' || code === 'ENFILE' || (ofPrograms && (code === 'EAGAIN' || code === 'EBADF'))) {
      const what = ofPrograms ? 'start no more programs' : 'open no more files';
      const text = `The system lets this server ${what} now (${code}); try again, raise its limits (ulimit -n), or restart it where that stays.`;
      return new ToolError('NEXUS_UNAVAILABLE', text, { cause: error });
    }
    each = cause;
  }
  return undefined;
}
