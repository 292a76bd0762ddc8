import { orAsk } from '../ask.ts'
import { print } from '../output.ts'
import { onServer } from '../server.ts'

export interface NewUser {
  business?: string
  role?: string
}

/** Adds a person to a business, or gives a member another role. */
export async function addUser(email: string, options: NewUser): Promise<void> {
  const business = await orAsk(options.business, {
    option: '--business',
    message: 'Business (bus_…)',
  })
  const role = await orAsk(options.role, {
    option: '--role',
    message: 'Role (viewer, editor, admin, owner)',
  })
  const wanted = { email, business, role }
  print(await onServer((server) => server.operate((operator) => operator.addUser(wanted))))
}
