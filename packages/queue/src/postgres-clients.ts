/**
 * Connections to PostgreSQL that are lost when nobody listens to them.
 *
 * BullMQ takes all listeners off a connection before it ends it. A server that dies in that moment makes the
 * connection emit an error without a listener, which would end the program: a worker, or the coordinator.
 */
import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';

/** Which clients are quiet already. */
const quiet = new WeakSet<EventEmitter>();

/** @param prototype of the clients; that of the driver by default */
export function keepErrorsHarmless(prototype: EventEmitter = driverClients()): void {
  if (quiet.has(prototype)) return;
  quiet.add(prototype);
  const { emit } = prototype;
  prototype.emit = function emitHeard(this: EventEmitter, event, ...given: unknown[]): boolean {
    if (event === 'error' && this.listenerCount('error') === 0) return false;
    return emit.call(this, event, ...given);
  };
}

/** The driver has no types here, and BullMQ's own instance of it is meant. */
function driverClients(): EventEmitter {
  const { Client } = createRequire(import.meta.url)('pg') as {
    readonly Client: { readonly prototype: EventEmitter };
  };
  return Client.prototype;
}
