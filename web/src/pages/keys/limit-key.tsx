/** Sets what an API key may do: only read, and how many recipients a day. */
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { LimitDialog } from '../../parts/connections/limit-dialog.tsx'
import { keyWords } from '../../words/api-keys.ts'
import type { Key } from './key.ts'

export function LimitKey({ one, onClose }: { one: Key; onClose: () => void }) {
  const business_id = useBusinessId()
  const apiKeys = keyWords
  return (
    <LimitDialog
      isKey
      one={one}
      name={one.name}
      about={apiKeys.limitText}
      saved={apiKeys.limited}
      // A key always has a limit, so an empty field is no change.
      changed={({ recipients_per_day: perDay, ...switched }) => ({
        ...switched,
        ...(typeof perDay === 'number' && { recipients_per_day: perDay }),
      })}
      save={(changes) => api.key.save({ business_id, key_id: one.key_id, ...changes })}
      onClose={onClose}
    />
  )
}
