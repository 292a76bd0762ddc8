import type { api } from '../../api/client.ts'
import { connectionWords } from '../../words/account.ts'

export type Connection = Awaited<ReturnType<typeof api.connection.list>>['connections'][number]

/** A stranger chose the name, so it may be long or empty. */
export const nameOf = ({ name }: Pick<Connection, 'name'>) =>
  name.length > 80 ? `${name.slice(0, 80)}…` : name || connectionWords.unnamed
