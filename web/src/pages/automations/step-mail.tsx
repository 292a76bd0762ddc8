import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { MailThumbnail } from '../../parts/content/mail-thumbnail.tsx'

interface StepMailProps {
  templateId: string
  title: string
  isSmall?: boolean
}

/** The mail of a step as its template is now, drawn small. */
export function StepMail({ templateId, title, isSmall = false }: StepMailProps) {
  const business_id = useBusinessId()
  return (
    <MailThumbnail
      isSmall={isSmall}
      queryKey={['template.picture', business_id, templateId]}
      title={title}
      read={async () => {
        const { templates } = await api.template.list({ business_id, template_id: templateId })
        const [template] = templates
        if (template?.channel !== 'email') return null
        const { translations: _others, ...source } = template.source as Record<string, unknown>
        const { html } = await api.template.preview({
          business_id,
          channel: 'email',
          ...source,
          data: 'sample',
        })
        return html ?? null
      }}
    />
  )
}
