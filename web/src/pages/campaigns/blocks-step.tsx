/** A mail in blocks beside its preview, which follows what is typed. */
import { lazy, Suspense } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { BlockBuilder } from '../../parts/blocks/block-builder.tsx'
import { BlockPreview } from '../../parts/blocks/block-preview.tsx'
import type { Block } from '../../parts/blocks/model.ts'
import { useDraft } from '../../parts/drafts/use-draft.ts'
import { useSave } from '../../parts/drafts/use-save.ts'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { blockWords } from '../../words/block-words.ts'
import { words } from '../../words/words.ts'
import type { WholeCampaign } from './campaign.tsx'

// Loaded when the editor is there, so that the page appears sooner.
const DraftNotices = lazy(async () => ({
  default: (await import('../../parts/drafts/draft-notices.tsx')).DraftNotices,
}))

interface BlockContent {
  subject?: string
  preheader?: string
  blocks?: Block[]
}

export function BlocksStep({ campaign, onDone }: { campaign: WholeCampaign; onDone: () => void }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { campaign_id } = campaign
  const { what, save: saveLabel } = words.campaigns
  const draft = useDraft<BlockContent>({
    name: `blocks ${business_id} ${campaign_id}`,
    version: campaign.version,
    // The service gives back the blocks that it has checked.
    stored: (campaign.variants[0]?.content ?? {}) as BlockContent,
    saved: campaign.saved,
  })
  const { subject = '', preheader = '', blocks = [] } = draft.value
  const { save, isSaving, isRetrying, error } = useSave(
    draft,
    async (content) => {
      const if_version = draft.version
      if (draft.isChanged)
        await api.campaign.save({ business_id, campaign_id, content, if_version })
    },
    ({ isChanged }: { isChanged: boolean }) => isChanged && tell(what.saved),
  )
  const saveNow = (then?: () => void) => save({ isChanged: draft.isChanged }, then)
  const isBlocked = draft.conflicts.length > 0
  const fault = faultOf(error)
  const mail = { subject, preheader, blocks }
  return (
    <form
      className="grid items-start gap-5 lg:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault()
        saveNow(onDone)
      }}
    >
      <Card title={words.campaigns.steps.what}>
        <div className="grid gap-4">
          <Suspense>
            <DraftNotices
              draft={draft}
              isRetrying={isRetrying}
              labels={{ ...what, blocks: blockWords.title }}
            />
          </Suspense>
          <Input
            label={what.subject}
            required
            value={subject}
            onChange={({ target }) => draft.change({ subject: target.value })}
            fault={fault('content.subject')}
          />
          <Input
            label={what.preheader}
            hint={what.preheaderHint}
            value={preheader}
            onChange={({ target }) => draft.change({ preheader: target.value })}
            fault={fault('content.preheader')}
          />
          <BlockBuilder {...mail} onChange={(next) => draft.change({ blocks: next })} />
          {error && <Failure error={error} />}
          {may && (
            <div className="flex flex-wrap justify-end gap-2">
              <Button
                busy={isSaving}
                disabled={!draft.isChanged || isBlocked}
                onClick={() => saveNow()}
              >
                {words.save}
              </Button>
              <Button look="main" type="submit" busy={isSaving} disabled={isBlocked}>
                {saveLabel}
              </Button>
            </div>
          )}
        </div>
      </Card>
      <BlockPreview {...mail} />
    </form>
  )
}
