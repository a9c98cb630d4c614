/** Icon for what a session runs on, from the words that the server made of its browser: "Chrome · Android". */
export function deviceIcon(device: string): 'smartphone' | 'monitor' | 'globe' {
  if (/android|iphone|ipad|ios|mobile/i.test(device)) return 'smartphone'
  if (/windows|mac|linux|chrome ?os|ubuntu/i.test(device)) return 'monitor'
  return 'globe'
}
