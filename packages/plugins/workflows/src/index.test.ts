import { testPlugin } from '@nexus/testing';
import workflows from './index.ts';

testPlugin(workflows, { goodCalls: { workflows_word_count: { text: 'one two three' } } });
