import { el } from "./elements.js";
export class LairView { constructor(s){ this.id="lair"; this.title="LAIR"; this.about="LAIR"; this.element=el("section",{class:"view"}, "…"); } show(){} }
