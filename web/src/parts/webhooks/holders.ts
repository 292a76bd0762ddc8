/** Whoever can hold a webhook of the business: its live keys, and its admins and owners. */
import { useQuery } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { webhookWords } from '../../words/lists.ts'

const roles = ['admin', 'owner']

/** As a select takes them, without the one that holds it now; the person who looks comes first. */
export function useHolders(present: string | undefined) {
  const business_id = useBusinessId()
  const { holders } = webhookWords
  const members = useQuery({
    queryKey: ['member.list', business_id, 'holders'],
    queryFn: ({ signal }) => api.member.list({ business_id, limit: 100 }, { signal }),
  })
  const keys = useQuery({
    queryKey: ['key.list', business_id],
    queryFn: ({ signal }) => api.key.list({ business_id }, { signal }),
  })
  const people = (members.data?.members ?? [])
    .filter(({ role }) => roles.includes(role))
    .toSorted((a, b) => Number(b.is_you) - Number(a.is_you))
    .map(({ user_id, email, is_you }) => [user_id, is_you ? holders.you(email) : email] as const)
  const programs = (keys.data?.keys ?? [])
    .filter(({ role, test, scopes }) => {
      return roles.includes(role) && !test && scopes.includes('provisioning:write')
    })
    .map(({ key_id, name }) => [key_id, holders.keyNamed(name)] as const)
  return {
    options: [...people, ...programs].filter(([id]) => id !== present),
    isPending: members.isPending || keys.isPending,
    error: members.error ?? keys.error,
  }
}
