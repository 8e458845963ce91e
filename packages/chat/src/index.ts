export { type Chat, type ChatEvent, type ChatOptions, createChat, type Permission } from './create-chat.ts';
export { answerServer, CHAT_CAPABILITIES, type Person, type ServerAnswers } from './servers/answer-server.ts';
export { type ChatServer, type ServerTool, serverTools } from './servers/chat-server.ts';
export { type ChatSession, holdsAnything, type SessionOutline } from './sessions/chat-session.ts';
export { type SessionStore, sessionStore } from './sessions/session-store.ts';
export type { SearchTools } from './tools/fit-tools.ts';
