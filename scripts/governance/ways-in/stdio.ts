import { connectApp } from './app-process.ts';
import { createScratchProject } from './scratch-project.ts';
import type { WayIn } from './way-in.ts';

/** The built server in a process of its own, as a host starts it. */
export const stdio: WayIn = {
  name: 'stdio',
  async open() {
    const scratch = createScratchProject();
    const client = await connectApp(scratch, ['--mode=server', '--standalone']);
    return {
      send: client.send,
      async [Symbol.asyncDispose]() {
        await client.close();
        scratch[Symbol.dispose]();
      },
    };
  },
};
