/** Holds a name until it is killed: `holder.ts <database url> <name>`; writes a line once it does. */
import { createStore } from '../src/index.ts';

const [databaseUrl = '', name = ''] = process.argv.slice(2);
const hold = await createStore({ projectId: 'test', dataDir: '', databaseUrl }).hold(name);
process.stdout.write(hold ? 'held\n' : 'taken\n');
