/** The operator approves the number that an owner stated, or less, or refuses it with a reason. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { VolumeFields } from '../../parts/volume-fields.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { operatorWords } from '../../words/operator.ts'
import { number } from '../../words/words.ts'
import type { Statement } from './volumes.tsx'

export function AnswerVolume({ one, onClose }: { one: Statement; onClose: () => void }) {
  const { volumes: texts } = operatorWords
  const { domain, emails_per_day, begins_at_day, business_name, note } = one
  const [perDay, setPerDay] = useState(String(emails_per_day))
  const [answer, setAnswer] = useState('')
  const work = useMutation({
    mutationFn: (approved_per_day: number | undefined) =>
      api.operator.answer_volume({
        domain,
        ...(approved_per_day !== undefined && { approved_per_day }),
        ...(answer.trim() !== '' && { answer: answer.trim() }),
      }),
    onSuccess: ({ begins_at_day: day }, approved) => {
      tell(approved === undefined ? texts.refused : texts.approved(day))
      onClose()
    },
  })
  const isApproved = work.variables !== undefined
  return (
    <Dialog
      open
      onClose={onClose}
      title={domain}
      description={texts.stated(business_name, number(emails_per_day), begins_at_day)}
    >
      {note !== null && (
        <blockquote className="border-l-2 border-line pl-3 break-words">
          <bdi>{note}</bdi>
        </blockquote>
      )}
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          work.mutate(Number(perDay))
        }}
      >
        <VolumeFields
          perDay={{
            label: texts.amount,
            hint: texts.amountHint,
            value: perDay,
            onChange: setPerDay,
            fault: faultOf(work.error)('approved_per_day'),
          }}
          words={{
            label: texts.words,
            hint: texts.wordsHint,
            value: answer,
            onChange: setAnswer,
            fault: faultOf(work.error)('answer'),
          }}
        />
        {work.error && <Failure error={work.error} />}
        <DialogActions>
          <Button
            look="danger"
            busy={work.isPending && !isApproved}
            disabled={work.isPending}
            onClick={() => work.mutate(undefined)}
          >
            {texts.refuse}
          </Button>
          <Button
            look="main"
            type="submit"
            busy={work.isPending && isApproved}
            disabled={work.isPending}
          >
            {texts.approve}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
