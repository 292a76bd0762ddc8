import type { api } from '../../api/client.ts'

export type Key = Awaited<ReturnType<typeof api.key.list>>['keys'][number]
