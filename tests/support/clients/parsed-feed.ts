/** A feed as a program reads it that knows nothing of Crier. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'

export interface Feed {
  title: string
  description: string
  language: string
  link: string
  self: string
  lastBuildDate: string
  items: Record<string, string>[]
}

/** Expat, a parser of another author, reads the feed; what is not well formed throws. */
export function parsedFeed(xml: string): Feed {
  const program = `
import json, sys, xml.etree.ElementTree as tree
channel = tree.fromstring(sys.stdin.buffer.read()).find('channel')
own = {one.tag: one.text or '' for one in channel if one.tag != 'item'}
own['self'] = channel.find('{http://www.w3.org/2005/Atom}link').get('href')
own['items'] = [{one.tag: one.text or '' for one in item} for item in channel.iter('item')]
print(json.dumps(own))`
  const { status, stdout, stderr } = spawnSync('python3', ['-c', program], { input: xml })
  assert.equal(status, 0, String(stderr))
  return JSON.parse(String(stdout)) as Feed
}
