import { definePlugin } from '@nexus/plugin-sdk';
import { busOptions, createBus } from './bus.ts';
import { findReserved } from './reservations/find-reserved.ts';
import { type InboxView, inbox } from './resources/inbox.ts';
import { type ReservationsView, reservations } from './resources/reservations.ts';
import { taskValue } from './resources/task-value.ts';
import { retention } from './retention.ts';
import { ackTask } from './tools/ack-task.ts';
import { busStatus } from './tools/bus-status.ts';
import { completeTask } from './tools/complete-task.ts';
import { failTask } from './tools/fail-task.ts';
import { fetchInbox } from './tools/fetch-inbox.ts';
import { heartbeatTask } from './tools/heartbeat-task.ts';
import { pollTask } from './tools/poll-task.ts';
import { queryTaskState } from './tools/query-task-state.ts';
import { registerWorker } from './tools/register-worker.ts';
import { releaseFiles } from './tools/release-files.ts';
import { reserveFiles } from './tools/reserve-files.ts';
import { resetWorker } from './tools/reset-worker.ts';
import { retryTask } from './tools/retry-task.ts';
import { sendMessage } from './tools/send-message.ts';
import { submitTask } from './tools/submit-task.ts';
import { taskStatus } from './tools/task-status.ts';
import { updateTask } from './tools/update-task.ts';

/** For whoever shows what they answer. */
export type { busStatus, InboxView, ReservationsView, taskStatus };
/** For whoever holds a commit to what is reserved. */
export { findReserved };

export default definePlugin({
  name: 'bus',
  options: busOptions,
  tools: [
    registerWorker,
    submitTask,
    pollTask,
    ackTask,
    heartbeatTask,
    completeTask,
    failTask,
    retryTask,
    updateTask,
    resetWorker,
    taskStatus,
    queryTaskState,
    busStatus,
    sendMessage,
    fetchInbox,
    reserveFiles,
    releaseFiles,
  ],
  resources: [reservations],
  resourceTemplates: [inbox, taskValue],
  retention,
  start: async (options, host) => createBus(options, host),
  // The store is the host's to close, and a waiting poll ends with its own signal.
  stop: async () => {},
});
