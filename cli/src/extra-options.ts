/** Options of a command beyond its operation's arguments; `call` turns them into arguments. */
import type { OperationOption } from './operation-command.ts'

export const extraOptions: Readonly<Record<string, readonly OperationOption[]>> = {
  'campaign why': [
    { key: 'email', kind: 'text', about: 'The contact by their address, in place of its id.' },
  ],
}
