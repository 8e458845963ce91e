import { readersInRoom } from '@nexus/plugin-sdk';
import { readers } from './readers.ts';

export default readersInRoom(readers);
