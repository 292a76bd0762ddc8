/** Options that a command has beyond the arguments of its operation; `call` makes them into some. */
import type { OperationOption } from './operation-command.ts'

export const extraOptions: Readonly<Record<string, readonly OperationOption[]>> = {
  'campaign why': [
    { key: 'email', kind: 'text', about: 'The contact by their address, in place of its id.' },
  ],
}
