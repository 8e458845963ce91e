/** As all of OpenAI's interfaces say it. */
export function openaiError(status: number, message: string) {
  const type = status === 429 ? 'rate_limit_exceeded' : 'server_error';
  return { error: { message, type, param: null, code: null } };
}
