/** The fields by which a connection or a key is limited: reading alone, and recipients a day. */
import { Checkbox, Input } from '../../ui/field.tsx'
import { limitWords } from '../../words/account.ts'
import { number } from '../../words/words.ts'

export interface TypedLimits {
  readOnly: boolean
  /** Empty for none, which only the connection of an app can have. */
  perDay: string
  /** Of transactional messages. Empty for no limit. */
  transactional: string
}

export interface HasLimits {
  scopes: readonly string[]
  withheld_scopes: readonly string[]
  recipients_per_day: number | null
  transactional_per_day: number | null
}

export const isReadOnly = ({ scopes }: Pick<HasLimits, 'scopes'>) =>
  scopes.every((scope) => scope.endsWith(':read'))

/** Whether it may send when it does not only read. */
export const maySend = ({ scopes, withheld_scopes }: HasLimits) =>
  [...scopes, ...withheld_scopes].includes('messaging:send')

/** Whether there is a right that could be withheld, or given back. */
export const canSwitch = (one: HasLimits) => !isReadOnly(one) || one.withheld_scopes.length > 0

export const limitsOf = (one: HasLimits): TypedLimits => ({
  readOnly: isReadOnly(one),
  perDay: one.recipients_per_day === null ? '' : String(one.recipients_per_day),
  transactional: one.transactional_per_day === null ? '' : String(one.transactional_per_day),
})

/** The fields of a save in which `typed` differs from what is. */
export function changesOf(one: HasLimits, { readOnly, perDay, transactional }: TypedLimits) {
  const transactionalPerDay = transactional === '' ? null : Number(transactional)
  const recipients = perDay === '' ? null : Number(perDay)
  return {
    ...(readOnly !== isReadOnly(one) && { read_only: readOnly }),
    ...(recipients !== one.recipients_per_day && { recipients_per_day: recipients }),
    ...(transactionalPerDay !== one.transactional_per_day && {
      transactional_per_day: transactionalPerDay,
    }),
  }
}

/** How much of its limit of transactional messages is used. */
export function transactionalUse(one: {
  transactional_per_day: number | null
  transactional_last_day: number
}): string {
  const limits = limitWords
  return one.transactional_per_day === null
    ? limits.transactionalNone
    : limits.transactionalUsed(
        number(one.transactional_last_day),
        number(one.transactional_per_day),
      )
}

interface LimitFieldsProps {
  one: HasLimits
  typed: TypedLimits
  onChange: (typed: TypedLimits) => void
  /** A key always has a limit. */
  isKey?: boolean
  fault(field: 'recipients_per_day' | 'transactional_per_day'): string | undefined
}

export function LimitFields({ one, typed, onChange, isKey, fault }: LimitFieldsProps) {
  const limits = limitWords
  return (
    <>
      {canSwitch(one) && (
        <Checkbox
          label={limits.readOnly}
          hint={limits.readOnlyHint}
          checked={typed.readOnly}
          onChange={({ target }) => onChange({ ...typed, readOnly: target.checked })}
        />
      )}
      {maySend(one) && (
        <Input
          label={limits.perDay}
          hint={isKey ? limits.perDayOfKey : limits.perDayHint}
          fault={fault('recipients_per_day')}
          type="number"
          inputMode="numeric"
          min={0}
          max={1_000_000}
          required={isKey}
          value={typed.perDay}
          onChange={({ target }) => onChange({ ...typed, perDay: target.value })}
        />
      )}
      {maySend(one) && (
        <Input
          label={limits.transactional}
          hint={isKey ? limits.transactionalHint : limits.transactionalOfConnection}
          fault={fault('transactional_per_day')}
          type="number"
          inputMode="numeric"
          min={0}
          max={1_000_000}
          value={typed.transactional}
          onChange={({ target }) => onChange({ ...typed, transactional: target.value })}
        />
      )}
    </>
  )
}
