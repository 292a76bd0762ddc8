export const templates = {
  title: 'Templates',
  create: 'New template',
  empty:
    'A template is a mail or text with gaps that each sending fills in. People, assistants and programs save them.',
  name: 'Template',
  channel: 'Kind',
  version: 'Version',
  updated: 'Changed',
  all: 'All templates',
}
