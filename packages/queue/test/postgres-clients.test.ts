import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { keepErrorsHarmless } from '../src/postgres-clients.ts';

it('an error that nobody listens to ends nothing, one that is listened to is heard', () => {
  class Client extends EventEmitter {}
  const client = new Client();
  expect(() => client.emit('error', new Error('gone'))).toThrow('gone');
  keepErrorsHarmless(Client.prototype);
  keepErrorsHarmless(Client.prototype);
  expect(client.emit('error', new Error('gone'))).toBe(false);
  const heard: unknown[] = [];
  client.on('error', (error) => heard.push(error));
  client.on('end', (...given) => heard.push(...given));
  expect(client.emit('error', 'gone')).toBe(true);
  client.emit('end', 1, 2);
  expect(heard).toEqual(['gone', 1, 2]);
});
