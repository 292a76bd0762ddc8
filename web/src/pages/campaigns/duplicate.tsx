/** Copies a campaign into a new draft and leads there: for the same audience, or for who did not open it. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { nameOfCopy } from '../../parts/name-of-copy.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { problemOf } from '../../ui/states.tsx'
import { tell, tellFailure } from '../../ui/tell.ts'
import { campaignWords } from '../../words/campaigns.ts'
import { number, words } from '../../words/words.ts'
import type { WholeCampaign } from './campaign.tsx'

type Named = Pick<WholeCampaign, 'campaign_id' | 'name'>

/** A campaign's name has so many characters at most. */
const longest = 200

interface DuplicateProps {
  campaign: Named
  /** In a list, where the name is needed to tell the buttons apart. */
  inList?: boolean
}

interface CopyChoice {
  not_opened?: true
  /** In place of the subject of the original. */
  subject?: string
}

function useCopy({ campaign_id, name }: Named, { subject, ...choice }: CopyChoice = {}) {
  const business_id = useBusinessId()
  const navigate = useNavigate()
  const { run } = campaignWords
  // Where saving the subject fails, the next try saves it in the same copy.
  const made = useRef<Awaited<ReturnType<typeof api.campaign.copy>>>(undefined)
  return useMutation({
    mutationFn: async () => {
      const named = { business_id, campaign_id, name: nameOfCopy(name, longest) }
      const copy = made.current ?? (await api.campaign.copy({ ...named, ...choice }))
      if (subject === undefined) return copy
      made.current = copy
      return api.campaign.save({
        business_id,
        campaign_id: copy.campaign_id,
        content: { subject },
        if_version: copy.version,
      })
    },
    onSuccess: (copy) => {
      made.current = undefined
      tell(run.duplicated)
      return navigate({
        to: '/$business/campaigns/$campaign',
        params: { business: business_id, campaign: copy.campaign_id },
        search: { step: 'what' },
      })
    },
    onError: (error) => tellFailure(run.failed, problemOf(error).message),
  })
}

export function Duplicate({ campaign: { campaign_id, name }, inList = false }: DuplicateProps) {
  const may = useMay('editor')
  const { run } = campaignWords
  const work = useCopy({ campaign_id, name })
  if (!may) return null
  if (inList) {
    return (
      <IconButton
        icon="copy"
        label={run.duplicateOf(name)}
        disabled={work.isPending}
        onClick={() => work.mutate()}
      />
    )
  }
  return (
    <Button look="quiet" icon="copy" busy={work.isPending} onClick={() => work.mutate()}>
      <span className="max-sm:sr-only">{run.duplicate}</span>
    </Button>
  )
}

interface WrittenContent {
  subject?: string
  translations?: object
}

/** A copy for those of whom neither an open nor a click is known, and what is not known about them. */
export function SendAgain({ campaign }: { campaign: WholeCampaign }) {
  const may = useMay('editor')
  const [isOpen, setOpen] = useState(false)
  const content = campaign.variants[0]?.content as WrittenContent | undefined
  const before = content?.subject ?? ''
  const [subject, setSubject] = useState(before)
  // The subjects of an A/B test, of several languages, and with fields are changed in the draft.
  const isPlain = campaign.variants.length === 1 && !content?.translations && !before.includes('{')
  const isNew = isPlain && subject.trim() !== '' && subject !== before
  const work = useCopy(campaign, { not_opened: true, ...(isNew && { subject: subject.trim() }) })
  const { counts, channel } = campaign
  const { again } = campaignWords
  const sent = counts['sent'] ?? 0
  // Nobody knows any more who did not open it.
  const isForgotten = campaign.recipients_deleted_at !== null
  if (!may || channel !== 'email' || sent === 0 || isForgotten) return null
  const machines = counts['opened_by_machine'] ?? 0
  return (
    <>
      <Button look="quiet" icon="campaign" onClick={() => setOpen(true)}>
        <span className="max-sm:sr-only">{again.title}</span>
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={again.long}>
        <p>{again.opened(number(counts['opened'] ?? 0), number(sent))}</p>
        <ul className="grid list-disc gap-1 pl-5 text-muted">
          <li>{again.unseen}</li>
          {machines > 0 && <li>{again.machines(number(machines))}</li>}
          <li>{again.untracked}</li>
        </ul>
        {isPlain && (
          <Input
            label={again.subject}
            hint={again.subjectHint}
            maxLength={longest}
            value={subject}
            onChange={({ target }) => setSubject(target.value)}
          />
        )}
        <p>{again.draft}</p>
        <DialogActions>
          <Button onClick={() => setOpen(false)}>{words.back}</Button>
          <Button look="main" busy={work.isPending} onClick={() => work.mutate()}>
            {again.make}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
