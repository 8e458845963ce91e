import type { PluginUnderTest } from '@nexus/testing';
import { testPlugin } from '@nexus/testing';
import bus from './index.ts';

async function lease(plugin: PluginUnderTest) {
  await plugin.answer('submit_task', { title: 'work', payload: { n: 1 } });
  const { task } = await plugin.answer<{ task: { taskId: string; leaseId: string } }>('poll_task', {
    worker: 'z.ai1',
  });
  return task;
}

const leaseOnly = async (plugin: PluginUnderTest) => ({ leaseId: (await lease(plugin)).leaseId });

testPlugin(bus, {
  prepare: async (plugin) => {
    await plugin.answer('register_worker', { name: 'z.ai1', capabilities: ['typescript'] });
    await plugin.answer('register_worker', { name: 'z.ai2' });
  },
  goodCalls: {
    register_worker: { name: 'z.ai3', capabilities: ['rust'] },
    submit_task: { title: 'Build', payload: null, priority: 0 },
    poll_task: { worker: 'z.ai1' },
    ack_task: leaseOnly,
    heartbeat_task: leaseOnly,
    complete_task: async (plugin) => ({ ...(await leaseOnly(plugin)), result: { passed: true } }),
    fail_task: async (plugin) => ({ ...(await leaseOnly(plugin)), reason: 'no compiler' }),
    retry_task: async (plugin) => {
      const { taskId, leaseId } = await lease(plugin);
      await plugin.answer('fail_task', { leaseId, reason: 'hopeless', retry: false });
      return { taskId };
    },
    update_task: async (plugin) => ({ taskId: (await lease(plugin)).taskId, note: 'see the log' }),
    reset_worker: { worker: 'z.ai1' },
    task_status: async (plugin) => ({ taskId: (await lease(plugin)).taskId }),
    query_task_state: async (plugin) => ({ taskId: (await lease(plugin)).taskId }),
    bus_status: {},
    send_message: { from: 'z.ai1', to: '*', body: 'hello' },
    fetch_inbox: { worker: 'z.ai2' },
    reserve_files: { worker: 'z.ai1', globs: ['src/**'] },
    release_files: { worker: 'z.ai1' },
  },
});
