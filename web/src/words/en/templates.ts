export const templates = {
  title: 'Templates',
  empty:
    'A template is a mail or text with gaps that each sending fills in. Assistants and programs save them.',
  name: 'Template',
  channel: 'Kind',
  version: 'Version',
  updated: 'Changed',
  preview: 'As text',
  data: 'Filled in with',
  datas: { sample: 'Ordinary values', longest: 'The longest values', empty: 'No values' },
  needs: 'What each sending must give',
  source: 'Source',
  subject: 'Subject',
  preheader: 'Preview line',
  bytes: (size: string) => `${size} bytes of HTML`,
  parts: (count: string) => `Parts of a text: ${count}`,
  warnings: 'Worth a look',
}
