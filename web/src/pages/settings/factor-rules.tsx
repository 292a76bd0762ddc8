/** What a business asks of its members: a second factor, and a fresh one for important acts. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox, Input } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { ruleWords } from '../../words/factors.ts'
import { day, words } from '../../words/words.ts'

type Rules = Awaited<ReturnType<typeof api.factor.rules>>

/** How many days members usually get. */
const usualDays = 7

export function FactorRules() {
  const business_id = useBusinessId()
  const isOwner = useMay('owner')
  const [editing, edit] = useState(false)
  const { data, error } = useQuery({
    queryKey: ['factor.rules', business_id],
    queryFn: ({ signal }) => api.factor.rules({ business_id }, { signal }),
  })
  return (
    <Card
      title={ruleWords.title}
      actions={isOwner && data && <Button onClick={() => edit(true)}>{ruleWords.change}</Button>}
    >
      <div className="grid gap-2">
        <p className="text-muted">{ruleWords.about}</p>
        {error && <Failure error={error} />}
        {data?.by_operator && <p>{ruleWords.byOperator}</p>}
        {data && data.required_from !== null && <p>{ruleWords.from(day(data.required_from))}</p>}
        {data?.asks_fresh && <p>{ruleWords.asksFresh}</p>}
        {data && !data.by_operator && data.required_from === null && !data.asks_fresh && (
          <p>{ruleWords.off}</p>
        )}
      </div>
      {editing && data && <RulesDialog rules={data} onClose={() => edit(false)} />}
    </Card>
  )
}

function RulesDialog({ rules, onClose }: { rules: Rules; onClose: () => void }) {
  const business_id = useBusinessId()
  const wasRequired = rules.required_from !== null
  const [required, setRequired] = useState(wasRequired)
  const [days, setDays] = useState(wasRequired ? '0' : String(usualDays))
  const [fresh, setFresh] = useState(rules.asks_fresh)
  const save = useMutation({
    mutationFn: () =>
      api.factor.require({
        business_id,
        required,
        asks_fresh: fresh,
        ...(required && !wasRequired && { days: Number(days) }),
      }),
    onSuccess: () => {
      tell(ruleWords.saved)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Dialog open onClose={onClose} title={ruleWords.title} description={ruleWords.about}>
      <form onSubmit={submit} className="grid gap-4">
        <Checkbox
          label={ruleWords.required}
          checked={required}
          onChange={({ target }) => setRequired(target.checked)}
        />
        {required && !wasRequired && (
          <Input
            label={ruleWords.days}
            hint={ruleWords.daysHint}
            type="number"
            min={0}
            max={90}
            required
            value={days}
            onChange={({ target }) => setDays(target.value)}
          />
        )}
        <Checkbox
          label={ruleWords.fresh}
          hint={ruleWords.freshHint}
          checked={fresh}
          onChange={({ target }) => setFresh(target.checked)}
        />
        {save.error && <Failure error={save.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={save.isPending}>
            {words.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
