import { lazy, Suspense } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { useDraft } from '../../parts/drafts/use-draft.ts'
import { useSave } from '../../parts/drafts/use-save.ts'
import { Button } from '../../ui/button.tsx'
import { Input, TextArea } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { words } from '../../words/words.ts'
import type { WholeCampaign } from './campaign.tsx'
import { MailPreview } from './mail-preview.tsx'

// Loaded when the editor is there, so that the page appears sooner.
const DraftNotices = lazy(async () => ({
  default: (await import('../../parts/drafts/draft-notices.tsx')).DraftNotices,
}))

type Content = Omit<
  NonNullable<WholeCampaign['variants'][number]['content']>,
  'blocks' | 'translations'
>

/** Text that the service derived from the HTML is not sent back as if a person had written it. */
export function WhatStep({ campaign, onDone }: { campaign: WholeCampaign; onDone: () => void }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { campaign_id, channel } = campaign
  const { what, save: saveLabel } = words.campaigns
  const [variant] = campaign.variants
  // The translations, which this step does not change, stay as they are.
  const { translations: _kept, ...stored } = variant?.content ?? {}
  const draft = useDraft<Content>({
    name: `content ${business_id} ${campaign_id}`,
    version: campaign.version,
    stored,
    saved: campaign.saved,
  })
  const source = stored.mjml === undefined ? 'html' : 'mjml'
  const textOf = (field: keyof Content) => draft.value[field] ?? ''
  const set = (field: keyof Content) => (event: { target: { value: string } }) =>
    draft.change({ [field]: event.target.value })
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
            <DraftNotices draft={draft} isRetrying={isRetrying} labels={what} />
          </Suspense>
          {channel === 'sms' ? (
            <TextArea
              label={what.sms}
              hint={what.liquid}
              required
              rows={6}
              value={textOf('text')}
              onChange={set('text')}
              fault={fault('content')}
            />
          ) : (
            <>
              <Input
                label={what.subject}
                required
                value={textOf('subject')}
                onChange={set('subject')}
                fault={fault('content.subject')}
              />
              <Input
                label={what.preheader}
                hint={what.preheaderHint}
                value={textOf('preheader')}
                onChange={set('preheader')}
                fault={fault('content.preheader')}
              />
              <TextArea
                label={what[source]}
                hint={what.liquid}
                required
                rows={16}
                spellCheck={false}
                className="font-mono text-sm"
                value={textOf(source)}
                onChange={set(source)}
                fault={fault(`content.${source}`)}
              />
            </>
          )}
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
      <MailPreview campaign={campaign} version={campaign.updated_at} />
    </form>
  )
}
