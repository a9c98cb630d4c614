/** Icon of a session's device, from the server's description: "Chrome · Android". */
export function deviceIcon(device: string): 'smartphone' | 'monitor' | 'globe' {
  if (/android|iphone|ipad|ios|mobile/i.test(device)) return 'smartphone'
  if (/windows|mac|linux|chrome ?os|ubuntu/i.test(device)) return 'monitor'
  return 'globe'
}
