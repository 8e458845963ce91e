/** As JSON has it: no name means anything but itself. */
export function putMember(object: object, name: string, value: unknown): void {
  if (name !== '__proto__') Object.assign(object, { [name]: value });
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
