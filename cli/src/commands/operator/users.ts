import { orAsk } from '../../ask.ts'
import { print } from '../../output/output.ts'
import { onServer } from '../../server.ts'

export interface NewUser {
  business?: string
  role?: string
}

/** Every user of this installation, with the number of businesses they are a member of. */
export async function listUsers(): Promise<void> {
  print(await onServer((server) => server.operate((operator) => operator.listUsers())))
}

/** Prints a sign-in link for a person whose mail does not arrive. */
export async function linkUser(email: string): Promise<void> {
  print(await onServer((server) => server.operate((operator) => operator.signInLink(email))))
}

/**
 * The second factors of a user; with `reset` they are removed, with `accept` a new one counts at once.
 * The user is told by mail.
 */
export async function showFactors(
  email: string,
  { reset = false, accept = false }: { reset?: boolean; accept?: boolean },
) {
  const change = { reset, accept }
  print(await onServer((server) => server.operate((operator) => operator.factorsOf(email, change))))
}

/** Prints the setup link, until somebody has used it. */
export async function showSetupLink(): Promise<void> {
  print(await onServer((server) => server.operate((operator) => operator.setupLink())))
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
