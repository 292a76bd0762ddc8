/** One business for the operator: what it has and sends, and its tier. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { SaveFailure } from '../../parts/connections/save-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { Fact, Facts } from '../../ui/page.tsx'
import { tell } from '../../ui/tell.ts'
import { operatorWords } from '../../words/operator.ts'
import { day, number, words } from '../../words/words.ts'
import type { ListedBusiness } from './businesses.tsx'

const tiers = ['free', 'growth', 'scale'] as const

export function BusinessDialog({ one, onClose }: { one: ListedBusiness; onClose: () => void }) {
  const { businesses, tierNames } = operatorWords
  const [tier, setTier] = useState<string>(one.tier)
  const chosen = tiers.find((name) => name === tier)
  const work = useMutation({
    meta: { asksForFreshSignIn: true },
    mutationFn: (next: (typeof tiers)[number]) =>
      api.operator.set_tier({ of_business: one.business_id, tier: next }),
    onSuccess: () => {
      tell(businesses.changed)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen) work.mutate(chosen)
  }
  return (
    <Dialog open onClose={onClose} title={one.name}>
      <Facts>
        <Fact name={businesses.owner}>
          {one.owners.length === 0
            ? businesses.noOwner
            : one.owners.map((email) => (
                <bdi key={email} className="block break-all">
                  {email}
                </bdi>
              ))}
        </Fact>
        <Fact name={businesses.members}>{number(one.members)}</Fact>
        <Fact name={businesses.contacts}>{number(one.contacts)}</Fact>
        <Fact name={businesses.sent}>{number(one.emails_this_month)}</Fact>
        <Fact name={businesses.texts}>{number(one.sms_this_month)}</Fact>
        <Fact name={businesses.since}>{day(one.created_at)}</Fact>
      </Facts>
      <Copyable text={one.business_id} className="justify-self-start" />
      <form className="grid gap-4 border-t border-line pt-4" onSubmit={submit}>
        <Select
          label={businesses.tier}
          hint={businesses.about}
          options={tiers.map((name) => [name, tierNames[name] ?? name] as const)}
          value={tier}
          onChange={({ target }) => setTier(target.value)}
        />
        <SaveFailure error={work.error} signInAgain={businesses.signInAgain} />
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={work.isPending} disabled={tier === one.tier}>
            {businesses.change}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
