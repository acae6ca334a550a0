"""The hot list: what the server of bgr, dsr, bdr and cnr keeps."""

from hgldp.stores.hot_list.store import HotIndex, HotList, make_rule

__all__ = ["HotIndex", "HotList", "make_rule"]
