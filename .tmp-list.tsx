import { createRoot } from 'react-dom/client'
import { List } from '#widgets/list/List.tsx'
import { Table } from '#widgets/table/Table.tsx'
import { EngineContext } from '#renderer/react/context.ts'
import '#renderer/base.css'
const n = Number(new URLSearchParams(location.search).get('n') ?? 10000)
const inner = new URLSearchParams(location.search).has('inner')
const table = new URLSearchParams(location.search).has('table')
const say = (k:string)=>k
const engine: any = { say, release: () => 1, onRelease: () => () => {}, language: () => ({id:'en',tag:'en'}), i18n: { onChange: ()=>()=>{}, language: ()=>'en' } }
;(window as any).ends = 0
const slot = (render:any) => ({ count: n, keyAt: (i:number)=>'k'+i, render, all: ()=>Array.from({length:n},(_,i)=>render(i)) })
const row = (i:number)=> <div key={i} style={{height: 40 + (i%3)*20}} className="r">Row {i}</div>
const tr = (i:number)=> <tr key={i} className="r"><td>Row {i}</td><td>{i*2}</td></tr>
const t0 = performance.now()
createRoot(document.getElementById('root')!).render(<EngineContext value={engine}><div style={inner?{height:500,overflowY:'auto'}:{}} id="sc"><h1>Top</h1>
{table ? <Table root={{'data-node':'t'}} props={{columns:[{label:'a'},{label:'b',align:'end'}],caption:'T'}} emit={()=>{}} busy={false} enabled status="ready" retry={()=>{}} slots={{row:slot(tr)} as any}/> :
<List root={{'data-node':'l'}} props={{more:true}} emit={()=>{(window as any).ends++}} busy={false} enabled status="ready" retry={()=>{}} slots={{row:slot(row),empty:{count:0}} as any}/>}
</div></EngineContext>)
